/* Sends the one form of a form_post page. Without script its button does the same. */
document.forms[0].submit()
