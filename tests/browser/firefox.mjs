// An annotator's journeys in Firefox, by keyboard and by touch: `node firefox.mjs JOURNEY FIREFOX ADDRESS USERNAME
// PASSWORD`, in frontend/. Playwright drives a Firefox of its own only; Puppeteer speaks WebDriver BiDi, which any Firefox
// understands.
import { once } from "node:events";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";

const puppeteer = createRequire(`${process.cwd()}/`)("puppeteer-core");
const [journey, executablePath, address, username, password] = process.argv.slice(2);

// The network: while it is cut, it accepts no connection and keeps none.
const { hostname, port } = new URL(address);
const ends = new Set();
let isCut = false;
const network = createServer((near) => {
  if (isCut) return near.destroy();
  const far = connect(Number(port), hostname);
  for (const [end, other] of [
    [near, far],
    [far, near],
  ]) {
    ends.add(end);
    end.pipe(other);
    end.on("error", () => other.destroy());
    end.on("close", () => ends.delete(end));
  }
}).listen(0, hostname);
await once(network, "listening");
const cut = () => {
  isCut = true;
  for (const end of ends) end.destroy();
};
const mend = () => {
  isCut = false;
};

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  headless: true,
});
const page = await browser.newPage();
const PHONE = { width: 390, height: 844 };
if (journey === "touch") await page.setViewport(PHONE);
const wrongs = [];
page.on("pageerror", (error) => wrongs.push(`page error: ${error}`));
page.on("console", (message) => message.type() === "error" && wrongs.push(`console: ${message.text()}`));

const sees = (text) =>
  page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 60_000 }, text);
const isFocused = (selector, text) =>
  page.waitForFunction(
    (within, wanted) => {
      const focused = document.activeElement;
      return focused?.matches(within) && focused.checkVisibility() && focused.textContent.includes(wanted);
    },
    { timeout: 60_000 },
    selector,
    text,
  );
const current = (text) => isFocused("main [aria-current]", text);
const press = async (key, text) => {
  await page.keyboard.press(key);
  await current(text);
};

/** Taps the last visible button with exactly this text: ratings given are buttons, too. */
const tap = async (text) => {
  const button = await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll("button:enabled, a")].findLast(
        (each) => each.innerText.trim() === wanted && each.checkVisibility(),
      ),
    { timeout: 60_000 },
    text,
  );
  await button.tap();
};
/** Waits until the current step has this text. A tap leaves the focus on the button. */
const isNext = (text) =>
  page.waitForFunction(
    (wanted) => document.querySelector("main [aria-current=step]")?.textContent.includes(wanted),
    { timeout: 60_000 },
    text,
  );
const fits = async () => {
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (room !== PHONE.width || width > room) wrongs.push(`${width} px wide, in a window of ${room} px`);
};

let claims = 0;
const isClaim = (answer) => answer.url().endsWith("/claim/");
page.on("response", (answer) => {
  if (isClaim(answer)) claims += 1;
});

const journeys = {
  async touch() {
    await page.evaluate(() => {
      globalThis.clicks = [];
      addEventListener("click", ({ pointerType }) => globalThis.clicks.push(pointerType));
    });
    await isNext("Step 1");
    await fits();
    await tap("Great");
    await isNext("Step 2");
    await tap("Bad");
    await sees("Error found at step 2");
    await fits();
    await tap("Undo");
    await isNext("Step 2");
    await tap("Add a note");
    await isFocused("textarea", "");
    await page.keyboard.type("Says the same again.");
    await tap("Okay");
    await isNext("Step 3");
    await tap("Tools");
    await tap("Keys");
    await isFocused("[role=dialog] *, dialog, dialog *", "");
    await fits();
    await page.keyboard.press("Escape");
    await tap("Tools");
    await tap("Bad");
    await tap("Submit");

    for (const step of ["Step 1", "Step 2", "Step 3", "Step 4"]) {
      await isNext(step);
      await tap("Great");
    }
    await tap("Submit");
    await sees("All done here");
    await fits();
    const clicks = await page.evaluate(() => globalThis.clicks);
    if (clicks.length === 0 || clicks.some((by) => by !== "touch")) wrongs.push(`clicks by ${clicks.join(", ")}`);
  },

  async solutions() {
    await current("Step 1");
    await press("1", "Step 2");
    await press("z", "Step 1");
    await press("2", "Step 2");
    await page.keyboard.press("?");
    await isFocused("[role=dialog] *, dialog, dialog *", "");
    await page.keyboard.press("Escape");
    await current("Step 2");
    await page.keyboard.press("b");
    await sees("Error found at step 2");
    await page.reload();
    await sees("Error found at step 2");
    await current("Step 2");
    await page.keyboard.press("Enter");

    await current("Step 1");
    for (const next of ["Step 2", "Step 3", "Step 4"]) await press("1", next);
    await page.keyboard.press("1");
    await sees("The whole solution is fine");
    await page.keyboard.press("Enter");
    await sees("All done here");
  },

  async alternatives() {
    await current("Completion A");
    await press("1", "Completion B");
    await page.keyboard.press("1");
    await sees("Completion A goes on.");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("c");
    await sees("Completion B goes on.");
    await press("Enter", "Completion A");
    await page.keyboard.press("w");
    await isFocused("form[aria-label^='Your own step'] textarea", "");
    await page.keyboard.type("So there are $\\boxed{36}$.");
    await sees("This states a final answer.");
    await page.keyboard.press("Escape");
    await isFocused("form button", "Use this step");
    await page.keyboard.press("Enter");
    const offered = await page.$$("main ol[aria-label='Completions of step 2'] > li");
    for (let left = offered.length; left > 1; left--) await page.keyboard.press("3");
    await sees("The final answer is reached.");
    await page.keyboard.press("Enter");
    await sees("All done here");
  },

  async offline() {
    await current("Step 1");
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, { timeout: 60_000 });
    while (claims < 3) await page.waitForResponse(isClaim, { timeout: 60_000 }); // one in hand, two ahead
    await page.waitForNetworkIdle();
    cut();
    await press("1", "Step 2");
    await page.reload();
    await current("Step 2");
    await page.keyboard.press("3");
    await page.keyboard.press("Enter");
    await sees("Offline: 1 submission waiting");
    await current("Step 1");
    await page.keyboard.press("3");
    await page.keyboard.press("Enter");
    await sees("Offline: 2 submissions waiting");
    await sees("You are offline");
    mend();
    await sees("All done here");
  },
};

try {
  await page.goto(`http://${hostname}:${network.address().port}`);
  await isFocused("input[name=username]", "");
  await page.keyboard.type(username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await isFocused("a", "Start labelling");
  await page.keyboard.press("Enter");

  await journeys[journey]();
} finally {
  await browser.close();
  cut();
  network.close();
}
if (wrongs.length > 0) throw new Error(wrongs.join("\n"));
