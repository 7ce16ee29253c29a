import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";
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

type Linked = { next?: string | null };

type Filled<Filters> = { [Name in keyof Filters]?: Exclude<Filters[Name], ""> };

/**
 * A list of the server's, page by page, from one to the next and back the same way: `list` is what `Listing` takes. What it is narrowed by begins as in `none`; what is
 * empty is left out of the question, which waits for the typing to pause.
 */
export function usePages<Page extends Linked, Key extends QueryKey, Filters extends object>(
  none: Filters,
  ask: (asked: Filled<Filters> & Place) => UseQueryOptions<Page, Error, Page, Key>,
) {
  const [filters, setFilters] = useState(none);
  const [way, setWay] = useState<readonly Place[]>([]);
  const [asked] = useDebouncedValue(filters, TYPING_MS);
  const query = useQuery({ ...ask({ ...filled(asked), ...way.at(-1) }), placeholderData: keepPreviousData });
  const page = way.length + 1;
  const onPage = (to: number) => {
    if (to < page) setWay(way.slice(0, to - 1));
    else if (query.data?.next && !query.isPlaceholderData) setWay([...way, placeOf(query.data.next)]);
  };
  const narrow = (change: Partial<Filters>) => {
    setFilters({ ...filters, ...change });
    setWay([]);
  };
  const field: Narrowing<Filters>["field"] = (name) => ({
    value: filters[name] as (typeof filters)[typeof name] & string,
    onChange: (event) => narrow({ [name]: event.currentTarget.value } as unknown as Partial<Filters>),
  });
  const narrowing: Narrowing<Filters> = { filters, narrow, field };
  return { ...narrowing, list: { query, page, onPage } };
}

function filled<Filters extends object>(filters: Filters) {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== "")) as Filled<Filters>;
}
