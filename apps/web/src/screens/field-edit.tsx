export const FieldEdit = () => null
