export const DictionaryCreate = () => null
