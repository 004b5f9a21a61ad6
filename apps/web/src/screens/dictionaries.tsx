export const Dictionaries = () => null
