/**
 * The console: a page for administrators, served beside the API that it asks. Its files are in the
 * resources of this package; they hold no data, and what the page shows it asks as any client.
 */
@NullMarked
package dev.rollcall.gateway.console;

import org.jspecify.annotations.NullMarked;
