export const Settings = () => null
