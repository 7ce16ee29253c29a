import { csrfToken, ProblemError, problemOf, UNREACHABLE } from "@/api/client";

/** Posts a form with a file. Not fetch, which does not tell how far an upload is. Throws ProblemError. */
export function upload(address: string, form: FormData, onShare: (share: number) => void): Promise<void> {
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("X-CSRFToken", csrfToken());
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onShare(loaded / total);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new ProblemError(UNREACHABLE, ""));
    request.onload = () => {
      if (request.status < 400) resolve();
      else reject(problemOf(request, request.response));
    };
    request.send(form);
  });
}
