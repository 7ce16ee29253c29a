import { useState } from "react";
import { usePreferences } from "@/shared/session/preferences";
import { Button } from "@/shared/ui/Button";
import { assign, isAssignable, isModifier, keyName, keyPressed, type Binding, type Command } from "./keymap";
import classes from "../reading.module.css";
import type { PageKeys } from "./pageKeys";
import { COMMANDS } from "./strings";
import { useBindings } from "./useKeys";

interface Props {
  bindings: readonly Binding[];
  /** The page's own keys, which can't be changed. */
  page?: PageKeys | undefined;
}

/** The signed-in person's keys. A row is a button: press it, then the new key. */
export function KeySettings({ bindings, page = [] }: Props) {
  const [{ keys: own }, change] = usePreferences();
  const all = useBindings();
  const [waiting, setWaiting] = useState<Command | null>(null);
  const [said, setSaid] = useState("");

  const take = (binding: Binding, key: string) => {
    const name = keyName(key);
    if (!isAssignable(key, binding.command)) {
      setSaid(`${name} is needed by the browser or by this page’s buttons. Press another key.`);
      return;
    }
    const loser = all.find(({ command, keys }) => command !== binding.command && keys.includes(key));
    const changed = assign(own ?? {}, binding.command, key);
    const left = loser && (changed[loser.command] ?? []).map(keyName).join(" ");
    change({ keys: changed });
    setSaid(
      `${name} now means “${COMMANDS[binding.command]}”.` +
        (loser ? ` “${COMMANDS[loser.command]}” ${left ? `now has ${left}` : "no longer has a key"}.` : ""),
    );
    setWaiting(null);
  };

  const press = (event: React.KeyboardEvent, binding: Binding) => {
    if (waiting !== binding.command || event.key === "Tab" || isModifier(event.key) || event.nativeEvent.isComposing)
      return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") setWaiting(null);
    else take(binding, keyPressed(event.nativeEvent));
  };

  return (
    <section>
      <div className={classes.keysHead}>
        <h3 className={classes.helpTitle}>Keys</h3>
        {own && (
          <Button
            size="small"
            look="plain"
            onClick={() => {
              change({ keys: undefined });
              setSaid("All keys are back to their defaults.");
            }}
          >
            Reset to the defaults
          </Button>
        )}
      </div>
      <p className="small dim lead">Press a row, then the key that you want for it.</p>
      <ul className={classes.keys}>
        {bindings.map((binding) => {
          const isWaiting = waiting === binding.command;
          return (
            <li key={binding.command}>
              <button
                type="button"
                aria-pressed={isWaiting}
                onClick={() => {
                  setWaiting(binding.command);
                  setSaid(`Press a key for “${COMMANDS[binding.command]}”. Escape: leave it.`);
                }}
                onKeyDown={(event) => press(event, binding)}
                onBlur={() => setWaiting(null)}
              >
                <span>{isWaiting ? "Press a key …" : <Keys keys={binding.keys} />}</span>
                <span>{COMMANDS[binding.command]}</span>
              </button>
            </li>
          );
        })}
        {page.map(({ command, keys, says: what }) => (
          <li key={command} className={classes.fixed}>
            <span>
              <Keys keys={keys} />
            </span>
            <span>{what}</span>
          </li>
        ))}
      </ul>
      <p className={classes.said} role="status">
        {said}
      </p>
    </section>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key) => <kbd key={key}>{keyName(key)}</kbd>);
}
