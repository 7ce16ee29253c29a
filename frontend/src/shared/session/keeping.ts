let isShared = false;

/** On a shared computer nothing outlives the tab. */
export function keepOnlyHere(isOn: boolean): void {
  isShared = isOn;
}

/** Where this browser keeps what is somebody's. */
export function keeping(): Storage {
  return isShared ? sessionStorage : localStorage;
}
