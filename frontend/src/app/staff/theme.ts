import { createTheme, type CSSVariablesResolver } from "@mantine/core";
import { strings } from "@/shared/words/strings";

const closable = { defaultProps: { closeButtonProps: { "aria-label": strings.close } } };

export const theme = createTheme({
  primaryColor: "marine",
  primaryShade: { light: 8, dark: 7 },
  colors: {
    marine: [
      "#eaf4f8",
      "#d3e6ee",
      "#a6ccde",
      "#7ab7d3",
      "#4f9abe",
      "#378bb5",
      "#2881b0",
      "#1b6f9b",
      "#0f5f87",
      "#12455f",
    ],
    dark: [
      "#e3e9ec",
      "#c3cfd6",
      "#9fb0ba",
      "#7b8d98",
      "#3b4952",
      "#2b363d",
      "#1b252b",
      "#11171b",
      "#0d1215",
      "#090d0f",
    ],
  },
  fontFamily: "var(--sans)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontWeight: "650" },
  defaultRadius: "md",
  focusRing: "auto",
  cursorType: "pointer",
  components: {
    Modal: closable,
    Drawer: closable,
    MultiSelect: { styles: { inputField: { minWidth: "2rem", flexBasis: "2rem" } } }, // one line with a short choice
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
  },
});

/** The page's own colours (app.css), the same variables in light and dark. */
const OURS = {
  "--mantine-color-body": "var(--page)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--dim)",
  "--mantine-color-default-border": "var(--border)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-anchor": "var(--link)",
  "--mantine-color-error": "var(--bad-text)",
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: OURS, dark: OURS });
