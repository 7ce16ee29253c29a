"""stepmark.backups.archive: written archives, and damaged or hostile ones."""

import json
import stat
from io import BytesIO
from zipfile import ZipFile, ZipInfo

import pytest

from stepmark.backups import archive
from stepmark.backups.archive import BadArchive
from tests.stepmark.backups import writing
from tests.stepmark.backups.writing import FILES


@pytest.fixture
def write(tmp_path):
    return lambda files, **columns: writing.write(tmp_path / "backup.zip", files, **columns)


def check(path):
    with archive.opened(path) as (file, manifest):
        archive.verify(file, manifest, lambda *_: None)
        return manifest


def refused(path):
    with pytest.raises(BadArchive) as caught:
        check(path)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def rewritten(path, change):
    """Replaces each entry by those that `change(info, content)` returns. Returns the archive's path."""
    with ZipFile(path) as file:
        entries = [(info, file.read(info)) for info in file.infolist()]
    with ZipFile(path, "w") as file:
        for info, content in entries:
            for each in change(info, content):
                file.writestr(*each)
    return path


def with_manifest(path, **changes):
    def change(info, content):
        if info.filename == archive.MANIFEST:
            content = json.dumps(json.loads(content) | changes)
        return [(info, content)]

    return rewritten(path, change)


def test_what_is_written_is_read(write):
    manifest = check(write(FILES))
    assert {entry.name: entry.size for entry in manifest.entries} == {name: len(has) for name, has in FILES.items()}
    assert [entry.name for entry in manifest.files] == ["files/uploads/a.jsonl"]


class Growing(BytesIO):
    """A file that grows whenever it is read, three times."""

    left = 3

    def read(self, size=-1):
        if self.left:
            self.left -= 1
            place = self.tell()
            self.seek(0, 2)
            self.write(b"more")
            self.seek(place)
        return super().read(size)


def test_a_file_that_grows_meanwhile_is_stored_as_it_was_read(write):
    path = write({**FILES, "models/run/state": Growing(b"a")})
    with archive.opened(path) as (file, manifest):
        archive.verify(file, manifest, lambda *_: None)
        assert file.read("models/run/state") == b"a" + b"more" * 3


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off(write, share):
    path = write(FILES)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert "can't be read as a backup" in refused(path)


def test_every_flipped_byte_is_noticed_or_changes_nothing(write):
    path = write(FILES)
    whole, noticed = path.read_bytes(), 0
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            found = check(path)
        except BadArchive:
            noticed += 1
        else:  # such as a date in the directory
            assert {entry.name for entry in found.entries} == set(FILES)
    assert noticed > len(whole) / 14


def test_a_changed_file(write):
    def change(info, content):
        return [(info, b"raws" if info.filename == "database.sqlite3" else content)]

    assert "“database.sqlite3” is not as it was written" in refused(rewritten(write(FILES), change))


def test_a_zip_bomb_is_refused(write):
    def change(info, content):
        return [(info, bytes(50_000_000) if info.filename.startswith("files/") else content)]

    assert "is not as it was written" in refused(rewritten(write(FILES), change))


@pytest.mark.parametrize(
    "name",
    ["../x", "/etc/x", "files/../../x", "models/./x", "files//x", "files", "x", "broker/x", "files\\..\\x", "models/"],
)
def test_names_outside_of_the_data_are_refused(write, name):
    assert "would be written outside of the data" in refused(write({**FILES, name: b"x"}))


def test_links(write):
    def change(info, content):
        if info.filename.startswith("files/"):
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
        return [(info, content)]

    assert "is a link" in refused(rewritten(write(FILES), change))


def test_more_or_less_than_the_manifest_lists(write):
    def add(info, content):
        return [(info, content), *([(ZipInfo("files/y"), b"y")] if info.filename == archive.KEY else [])]

    def leave_out(info, content):
        return [] if info.filename == archive.KEY else [(info, content)]

    for change in (add, leave_out):
        assert "does not hold what its manifest lists" in refused(rewritten(write(FILES), change))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_twice(write):
    def change(info, content):
        return [(info, content)] * (2 if info.filename.startswith("files/") else 1)

    path = rewritten(write(FILES), change)
    assert "once each" in refused(path)


def test_another_format(write):
    path = with_manifest(write(FILES), format=2)
    assert refused(path) == "The backup has format 2; this version of Stepmark reads format 1."


@pytest.mark.parametrize("changes", [{"rows": None}, {"engine": 5}, {"format": "x"}, {"entries": [{}]}])
def test_a_manifest_of_another_form(write, changes):
    assert "can't be read as a backup" in refused(with_manifest(write(FILES), **changes))


def test_a_database_that_is_not_known(write):
    assert "“oracle”" in refused(write(FILES, engine="oracle"))


def test_another_zip_file(tmp_path):
    path = tmp_path / "x.zip"
    with ZipFile(path, "w") as file:
        file.writestr("x", "x")
    assert "is not a backup of Stepmark" in refused(path)


def test_a_password(write):
    path = write(FILES)
    content = bytearray(path.read_bytes())
    at = content.find(b"PK\x01\x02")
    while at >= 0:  # says that each entry is encrypted
        content[at + 8] |= 1
        at = content.find(b"PK\x01\x02", at + 1)
    path.write_bytes(content)
    assert "can't be read as a backup" in refused(path)
