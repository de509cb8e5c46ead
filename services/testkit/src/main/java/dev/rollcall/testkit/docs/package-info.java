/** Reads pages of the documentation. */
@NullMarked
package dev.rollcall.testkit.docs;

import org.jspecify.annotations.NullMarked;
