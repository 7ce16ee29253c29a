import { Button, Group, Text } from "@mantine/core";
import { placeOf, type Place } from "@/api/reading";
import { listStrings } from "./listStrings";

interface Props {
  place: Place;
  list: { next?: string | null; previous?: string | null };
  onPlace: (place: Place) => void;
}

/** To the page before and the next one. Where the server knows no way back, to the first. */
export function Pager({ place, list: { next, previous }, onPlace }: Props) {
  const isFirst = place.page === undefined && place.cursor === undefined;
  if (!next && isFirst) return null;
  return (
    <Group justify="flex-end" mt="md" gap="sm">
      <Button
        variant="default"
        size="compact-sm"
        disabled={isFirst}
        onClick={() => onPlace(previous ? placeOf(previous) : {})}
      >
        {previous || isFirst ? listStrings.previous : listStrings.first}
      </Button>
      {place.cursor === undefined && (
        <Text size="sm" c="dimmed">
          {listStrings.page(place.page ?? 1)}
        </Text>
      )}
      <Button variant="default" size="compact-sm" disabled={!next} onClick={() => next && onPlace(placeOf(next))}>
        {listStrings.next}
      </Button>
    </Group>
  );
}
