/** A sentence about a rule between cells, whose names and values are bold instead of in quotes. */
export const BoldNames = ({ text }: { text: string }) =>
  text
    .split(/"((?:[^"]|"")+)"/)
    .map((part, index) => (index % 2 === 1 ? <b key={index}>{part.replaceAll('""', '"')}</b> : part))
