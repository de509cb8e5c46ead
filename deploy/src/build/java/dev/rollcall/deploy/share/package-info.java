/**
 * Writes manual pages and completions when the distribution is built, from the command's own words
 * and the documents. Nothing of this package is shipped.
 */
@NullMarked
package dev.rollcall.deploy.share;

import org.jspecify.annotations.NullMarked;
