export const DictionaryEdit = () => null
