export const DictionaryImport = () => null
