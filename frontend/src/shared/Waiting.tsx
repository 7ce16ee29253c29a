import { Spinner } from "./ui/Spinner";

/** What stands in for a page while it is fetched. */
export function Waiting() {
  return (
    <div className="middle">
      <Spinner />
    </div>
  );
}
