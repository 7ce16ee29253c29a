let isOnlyHere = false;

/** Switches storage to this tab alone: on a shared computer nothing outlives it. */
export function keepOnlyHere(isOn: boolean): void {
  isOnlyHere = isOn;
}

export function isShared(): boolean {
  return isOnlyHere;
}

/** Returns the storage for personal data: the tab's on a shared computer, else the browser's. */
export function keeping(): Storage {
  return isOnlyHere ? sessionStorage : localStorage;
}
