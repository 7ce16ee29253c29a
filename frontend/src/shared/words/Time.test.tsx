import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ZONE } from "./format";
import { Joined, Time, TimeIn } from "./Time";

it("tells a program the moment, and a reader the day and the zone", () => {
  const at = "2025-03-04T10:30:05Z";
  render(<Time at={at} />);
  const time = screen.getByText("4 Mar 2025");
  expect(time.getAttribute("dateTime")).toBe(at);
  const zone = new Intl.DateTimeFormat("en-GB", { timeZone: ZONE, timeZoneName: "short" }).formatToParts(new Date(at));
  expect(time.title).toContain(zone.find(({ type }) => type === "timeZoneName")?.value);
  expect(time.title).toContain(":05");
});

it("is a dash where there is none", () => {
  const { container } = render(<Time at={null} />);
  expect(container.textContent).toBe("–");
});

it("stands in a sentence, and among other facts", () => {
  const at = "2025-03-04T10:30:05Z";
  const { container } = render(
    <Joined
      parts={["ada", "", null, <TimeIn at={at}>{(time) => `Closed ${time} by ben`}</TimeIn>, <Time at={at} />]}
    />,
  );
  expect(container.textContent).toBe("ada · Closed 4 Mar 2025 by ben · 4 Mar 2025");
  expect(container.querySelectorAll(`time[datetime="${at}"]`)).toHaveLength(2);
});
