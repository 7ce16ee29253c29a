import { createTheme, type CSSVariablesResolver } from "@mantine/core";
import { strings } from "@/shared/strings";

const closable = { defaultProps: { closeButtonProps: { "aria-label": strings.close } } };

export const theme = createTheme({
  primaryColor: "marine",
  primaryShade: { light: 8, dark: 7 },
  colors: {
    marine: ["#eaf4f8", "#d3e6ee", "#a6ccde", "#7ab7d3", "#4f9abe", "#378bb5", "#2881b0", "#1b6f9b", "#0f5f87", "#12455f"],
    dark: ["#e3e9ec", "#c3cfd6", "#9fb0ba", "#7b8d98", "#3b4952", "#2b363d", "#1b252b", "#11171b", "#0d1215", "#090d0f"],
  },
  fontFamily: 'Inter, "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  headings: { fontWeight: "650" },
  defaultRadius: "md",
  focusRing: "auto",
  cursorType: "pointer",
  components: { Modal: closable, Drawer: closable, InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } } },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#f6f8f7",
    "--mantine-color-text": "#17232b",
    "--mantine-color-dimmed": "#53626b",
    "--mantine-color-default-border": "#c9d2d1",
    "--mantine-color-placeholder": "#66757e",
    "--mantine-color-error": "var(--bad-text)",
  },
  dark: { "--mantine-color-dimmed": "#9fb0ba", "--mantine-color-error": "var(--bad-text)", "--mantine-color-anchor": "#7ab7d3" },
});
