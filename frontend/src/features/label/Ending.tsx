import { lazily } from "@/shared/Contained";
import { Waiting } from "@/shared/Waiting";

/** Why there is no task on the screen, and the way on. */
export const Ending = lazily(() => import("./EndingPage"), <Waiting />);
