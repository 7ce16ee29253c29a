import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";

/** What lies over the page at its side, for as long as it has something to show. */
export function Sheet({ title, onClose, children }: { title: ReactNode; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer opened={Boolean(children)} onClose={onClose} position="right" size="min(46rem, 100%)" title={title}>
      {children}
    </Drawer>
  );
}
