import "@mantine/core/styles/Burger.css";
import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/Switch.css";
import "@mantine/core/styles/Drawer.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Table.css";
import "@mantine/charts/styles.css";
