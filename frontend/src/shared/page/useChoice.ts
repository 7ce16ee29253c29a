import { useSearchParams } from "wouter";

/** Returns a choice kept in the page's address, and its setter, which drops other parameters, such as a list's page. */
export function useChoice(name: string, usual: string): [string, (choice: string) => void] {
  const [address, setAddress] = useSearchParams();
  return [address.get(name) ?? usual, (choice) => setAddress(choice === usual ? {} : { [name]: choice })];
}
