import { csrfToken, ProblemError, problemOf, UNREACHABLE } from "./client";

interface How {
  /** The form of the answer: a value, or a file. */
  answer: "json" | "blob";
  /** Called with the share of the file that has been sent, from 0 to 1. */
  onShare?: (share: number) => void;
}

/** Posts the file, without `fetch`, which reports no progress of uploads. Throws ProblemError. */
export async function postFile(address: string, file: File, { answer, onShare }: How): Promise<{ data: unknown }> {
  const form = new FormData();
  form.set("file", file);
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("X-CSRFToken", csrfToken());
  request.responseType = answer;
  request.upload.onprogress = ({ loaded, total }) => onShare?.(loaded / total);
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(new ProblemError(UNREACHABLE, ""));
    request.onload = async () => {
      if (request.status < 400) {
        resolve({ data: request.response });
        return;
      }
      const isFile = answer === "blob";
      const said: unknown = isFile ? await jsonIn(request.response as Blob) : request.response;
      reject(problemOf(request, said, request.getResponseHeader("Retry-After")));
    };
    request.send(form);
  });
}

async function jsonIn(file: Blob): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return null;
  }
}
