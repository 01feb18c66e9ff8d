/* From files a browser lets no page read another: the search then shows titles only, instead of trying in vain. */
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
