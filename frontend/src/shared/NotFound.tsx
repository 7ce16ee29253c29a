import { strings } from "./strings";
import { ButtonLink } from "./ui/Button";

/** What an address shows that leads nowhere. */
export function NotFound() {
  return (
    <div className="middle">
      <h1 className="title">{strings.notFound}</h1>
      <ButtonLink href="/" look="plain">
        {strings.home}
      </ButtonLink>
    </div>
  );
}
