// The token of the page of the same name.
export const readToken = async () => sessionStorage.getItem("token");
export const keepToken = async (token) => sessionStorage.setItem("token", token);
