export const AdminHome = () => null
