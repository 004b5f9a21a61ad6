/** A sentence whose names in quotes are bold: they are what people look for in a list of differences. */
export const QuotedNames = ({ text }: { text: string }) =>
  text.split(/("[^"]+")/).map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part))
