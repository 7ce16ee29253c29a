import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";

const TYPING_MS = 250;

export interface Narrowing<Filters> {
  filters: Filters;
  narrow: (change: Partial<Filters>) => void;
  /** The props of a filter's input. */
  field: <Name extends keyof Filters>(name: Name) => { value: Filters[Name] & string; onChange: (event: { currentTarget: { value: string } }) => void };
}

type Filled<Filters> = { [Name in keyof Filters]?: Exclude<Filters[Name], ""> };

/**
 * A list of the server's, page by page: `list` is what `Listing` takes. What it is narrowed by begins as in `none`; what is
 * empty is left out of the question, which waits for the typing to pause.
 */
export function usePages<Page, Key extends QueryKey, Filters extends object>(
  none: Filters,
  ask: (asked: Filled<Filters> & { page: number }) => UseQueryOptions<Page, Error, Page, Key>,
) {
  const [filters, setFilters] = useState(none);
  const [page, onPage] = useState(1);
  const [asked] = useDebouncedValue(filters, TYPING_MS);
  const query = useQuery({ ...ask({ ...filled(asked), page }), placeholderData: keepPreviousData });
  const narrow = (change: Partial<Filters>) => {
    setFilters({ ...filters, ...change });
    onPage(1);
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
