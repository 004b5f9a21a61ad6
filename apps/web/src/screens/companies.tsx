export const Companies = () => null
