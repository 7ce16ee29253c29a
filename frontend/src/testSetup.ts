import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// What jsdom lacks and Mantine asks for.
vi.stubGlobal("ResizeObserver", class { observe() {} unobserve() {} disconnect() {} });
window.matchMedia = (query) =>
  ({ matches: false, media: query, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList;
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;

// A busy machine draws a page in seconds: what is waited for may take its time.
configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 30_000 });

afterEach(cleanup);
