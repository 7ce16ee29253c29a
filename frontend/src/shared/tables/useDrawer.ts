import { useLocation, useRoute, useSearch } from "wouter";

/** Opens a list's entry in a drawer, at an address below the list's, whose filters and page it keeps. */
export function useDrawer(list: string) {
  const [, go] = useLocation();
  const [, path] = useRoute<{ id: string }>(`${list}/:id`);
  const search = useSearch();
  const address = (at: string) => (search ? `${at}?${search}` : at);
  return {
    id: path?.id ?? null,
    hrefOf: (id: string) => address(`${list}/${id}`),
    close: () => go(address(list)),
  };
}
