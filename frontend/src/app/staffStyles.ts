import "@mantine/core/styles/Drawer.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Table.css";
