import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./PageTitle.module.css";

export function PageTitle({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <header className={classes.header}>
      <div>
        <Title order={1} size="h2">{title}</Title>
        <Text c="dimmed" mt={4}>{lead}</Text>
      </div>
      {children}
    </header>
  );
}
