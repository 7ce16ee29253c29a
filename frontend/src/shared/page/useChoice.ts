import { useSearchParams } from "wouter";

/** A choice on a page is part of its address. The page of a list below is not kept for another choice. */
export function useChoice(name: string, usual: string): [string, (choice: string) => void] {
  const [address, setAddress] = useSearchParams();
  return [address.get(name) ?? usual, (choice) => setAddress(choice === usual ? {} : { [name]: choice })];
}
