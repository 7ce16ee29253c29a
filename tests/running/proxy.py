"""The shipped proxy in front of a product: nginx with a certificate of its own, on free ports, as whoever runs it."""

import shlex
import shutil
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from tests.running.servers import free_port

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
TEMPLATE = DEPLOY / "nginx" / "stepmark.conf.template"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
# What a distribution's own nginx.conf says around the site's, in one folder. A master without root warns of `user`.
MAIN = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 1024; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/stepmark.conf;
}}
"""


def missing() -> str:
    """Returns why no proxy can be started here; empty if one can."""
    return "" if NGINX and shutil.which("openssl") else "there is no nginx to start, or no openssl"


def settings(file: Path) -> dict[str, str]:
    """Reads a file of `NAME=value` lines, as systemd and a shell do."""
    lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return {name: shlex.split(value)[0] if value else "" for name, _, value in (line.partition("=") for line in lines)}


class Proxy:
    """The configuration of nginx, as deployed, for these web servers (`host:port`)."""

    def __init__(self, folder: Path, servers: Sequence[str], *, host: str = "localhost") -> None:
        self.folder, self.host = folder, host
        self.http, self.https = free_port(), free_port()
        self.address = f"https://{host}:{self.https}"
        shipped = settings(DEPLOY / "nginx" / "proxy.env")
        written = "\n    ".join(f"server {each} max_fails=1 fail_timeout=2s;" for each in servers)
        own = {"STEPMARK_HOST": host, "HTTP_PORT": str(self.http), "HTTPS_PORT": str(self.https)}
        own |= {"CERTIFICATE": f"{folder}/certificate.pem", "CERTIFICATE_KEY": f"{folder}/key.pem"}
        self._write(shipped | own | {"WEB_SERVERS": written})

    def _write(self, variables: Mapping[str, str]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "nginx.conf").write_text(MAIN.format(folder=self.folder))
        # As envsubst: nginx's own variables stay.
        (self.folder / "stepmark.conf").write_text(Template(TEMPLATE.read_text()).safe_substitute(variables))
        make_certificate(self.folder, self.host)

    @property
    def command(self) -> list[str]:
        return [str(NGINX), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    @property
    def in_foreground(self) -> list[str]:
        return [*self.command, "-g", "daemon off;"]

    def check(self) -> str:
        """Returns what nginx says of its configuration."""
        return subprocess.run([*self.command, "-t"], capture_output=True, text=True, check=False).stderr

    def trust(self) -> ssl.SSLContext:
        """Returns a client's context, which trusts this proxy's certificate alone."""
        return ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))


def make_certificate(folder: Path, host: str) -> None:
    """Writes a certificate for the host, which is its own authority, and its key."""
    name = f"subjectAltName={'IP' if host.replace('.', '').isdigit() else 'DNS'}:{host}"
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    files = ["-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"]
    made = ["openssl", "req", *kind, "-subj", f"/CN={host}", "-addext", name, *files]
    subprocess.run(made, check=True, capture_output=True)
