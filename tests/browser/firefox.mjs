// An annotator's journey by keyboard in Firefox: `node firefox.mjs FIREFOX ADDRESS USERNAME PASSWORD`, in frontend/.
// Playwright drives a Firefox of its own only; Puppeteer speaks WebDriver BiDi, which any Firefox understands.
import { createRequire } from "node:module";

const puppeteer = createRequire(`${process.cwd()}/`)("puppeteer-core");
const [executablePath, address, username, password] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
const page = await browser.newPage();
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

try {
  await page.goto(address);
  await isFocused("input[name=username]", "");
  await page.keyboard.type(username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await isFocused("a", "Start labelling");
  await page.keyboard.press("Enter");

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
} finally {
  await browser.close();
}
if (wrongs.length > 0) throw new Error(wrongs.join("\n"));
