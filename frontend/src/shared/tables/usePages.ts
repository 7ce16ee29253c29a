import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { placeOf, type Place } from "@/api/reading";

const TYPING_MS = 250;

export interface Narrowing<Filters> {
  filters: Filters;
  narrow: (change: Partial<Filters>) => void;
  /** The props of a filter's input. */
  field: <Name extends keyof Filters>(
    name: Name,
  ) => { value: Filters[Name] & string; onChange: (event: { currentTarget: { value: string } }) => void };
}

type Linked = { next?: string | null; previous?: string | null };

type Filled<Filters> = { [Name in keyof Filters]?: Exclude<Filters[Name], ""> };

/**
 * The filters of a list, as part of the page's address, or not if it `isWithin` another list's page. They begin as in
 * `none`. `put` changes some, and goes back to the first page; values as in `none` are left out of the address.
 */
export function useFilters<Filters extends object>(none: Filters, { isWithin = false, usual = "" } = {}) {
  const [address, setAddress] = useSearchParams();
  const [own, setOwn] = useState(() => new URLSearchParams());
  const params = isWithin ? own : address;
  const filters = Object.fromEntries(
    Object.entries(none).map(([name, value]) => [name, params.get(name) ?? (value as string)]),
  ) as Filters;
  const put = (change: object, isPage: boolean) => {
    const after = new URLSearchParams(params);
    for (const name of ["page", "cursor"]) after.delete(name);
    for (const [name, value] of Object.entries(change))
      if (value === { ...none, ordering: usual }[name]) after.delete(name);
      else after.set(name, String(value));
    if (isWithin) setOwn(after);
    else setAddress(after, { replace: !isPage });
  };
  const narrow = (change: Partial<Filters>) => put(change, false);
  const field: Narrowing<Filters>["field"] = (name) => ({
    value: filters[name] as Filters[typeof name] & string,
    onChange: (event) => narrow({ [name]: event.currentTarget.value } as unknown as Partial<Filters>),
  });
  return { params, put, narrowing: { filters, narrow, field } satisfies Narrowing<Filters> };
}

/** Filters as the server takes them, without the empty ones, once the typing pauses. */
export function useAsked<Filters extends object>(filters: Filters): Filled<Filters> {
  const [asked] = useDebouncedValue(JSON.stringify(filters), TYPING_MS);
  const all = Object.entries(JSON.parse(asked) as Filters);
  return Object.fromEntries(all.filter(([, value]) => value !== "")) as Filled<Filters>;
}

/**
 * A list of the server's, page by page: `list` is what `Listing` takes. Its filters and page are part of the address,
 * unless it `isWithin` another list's page. Filters begin as in `none`; empty ones are not sent, and requests wait for
 * the typing to pause. `usual`: the default order, for a list that can be sorted.
 */
export function usePages<Page extends Linked, Key extends QueryKey, Filters extends object>(
  none: Filters,
  ask: (asked: Filled<Filters> & Place & { ordering?: never }) => UseQueryOptions<Page, Error, Page, Key>,
  { isWithin = false, usual = "" } = {},
) {
  const { params, put, narrowing } = useFilters(none, { isWithin, usual });
  const ordering = (usual && params.get("ordering")) || usual;
  const place = placeOf(`?${params.toString()}`);
  const sorted = ordering !== usual && { ordering: ordering as never };
  const query = useQuery({
    ...ask({ ...useAsked(narrowing.filters), ...place, ...sorted }),
    placeholderData: keepPreviousData,
  });
  const onPlace = (to: Place) => {
    if (!query.isPlaceholderData) put(to, true);
  };
  const order = usual ? { ordering, onOrder: (to: string) => put({ ordering: to }, true) } : undefined;
  return { ...narrowing, list: { query, place, onPlace, order } };
}
