import { Center, Loader } from "@mantine/core";
import { strings } from "./strings";

/** What stands in for a page while it is fetched. */
export function Waiting() {
  return <Center mih="60vh"><Loader role="status" aria-label={strings.loading} /></Center>;
}
