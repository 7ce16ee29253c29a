export const says = {
  title: "Changes", lead: "What was changed, by whom, and what it was before. Nothing here can be edited.",
  by: "By", act: "Act", name: "Name", kind: "What", at: "When", detail: "From, to", from: "From", to: "To", product: "the product", nobody: "nobody", anything: "Anything",
  namePlaceholder: "A part of its name", search: "Search the changes", none: "No matches.",
};
