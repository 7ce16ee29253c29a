import { afterEach, expect, it } from "vitest";
import { holdBelow } from "./holdBelow";

const PAGE = `
  <header></header>
  <main><div id="page">
    <h1 id="title"></h1>
    <section id="first"><p id="before"></p><div id="place"></div><p id="after"></p></section>
    <details id="fold"><p id="folded"></p><p id="under"></p></details>
    <section id="last"><input></section>
  </div></main>`;
let stop: (() => void) | undefined;
afterEach(() => stop?.());

const find = (id: string) => document.getElementById(id) as HTMLElement;
const held = () => [...document.querySelectorAll("[data-held]")].map(({ id }) => id);

function open() {
  document.body.innerHTML = PAGE;
  stop = holdBelow(find("page"));
}

it("holds what stands below something that is still to come, however deep that is, until it is there", async () => {
  open();
  expect(held()).toEqual([]);
  find("place").innerHTML = "<span data-waiting></span>";
  await expect.poll(held).toEqual(["after", "fold", "last"]);
  find("place").textContent = "It is there.";
  await expect.poll(held).toEqual([]);
});

it("holds on until the last of several is there", async () => {
  open();
  find("place").dataset.waiting = "";
  find("title").dataset.waiting = "";
  await expect.poll(held).toEqual(["first", "after", "fold", "last"]);
  delete find("title").dataset.waiting;
  await expect.poll(held).toEqual(["after", "fold", "last"]);
  delete find("place").dataset.waiting;
  await expect.poll(held).toEqual([]);
});

it("holds nothing after a fold in which something is still to come", async () => {
  open();
  find("folded").dataset.waiting = "";
  await expect.poll(held).toEqual(["under"]);
});

it("holds the whole page while its head is still to come", async () => {
  open();
  const head = document.querySelector("header") as HTMLElement;
  head.innerHTML = "<span data-waiting></span>";
  await expect.poll(() => find("page").dataset.held).toBe("all");
  head.innerHTML = "";
  await expect.poll(held).toEqual([]);
});

it("shows what stands above in the page, though its own head is still to come", async () => {
  open();
  find("last").innerHTML = "<header><span data-waiting></span></header><p id='own'></p>";
  await expect.poll(held).toEqual(["own"]);
});
