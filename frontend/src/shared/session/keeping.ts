let isOnlyHere = false;

/** On a shared computer nothing outlives the tab. */
export function keepOnlyHere(isOn: boolean): void {
  isOnlyHere = isOn;
}

export function isShared(): boolean {
  return isOnlyHere;
}

/** Where this browser keeps what is somebody's. */
export function keeping(): Storage {
  return isOnlyHere ? sessionStorage : localStorage;
}
