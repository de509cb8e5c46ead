/** Trees of files that users made and root removes. */
@NullMarked
package dev.rollcall.linux.files;

import org.jspecify.annotations.NullMarked;
