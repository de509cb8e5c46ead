/** Munge, by libmunge: who made a credential, as the munged of this machine knows. */
@NullMarked
package dev.rollcall.linux.munge;

import org.jspecify.annotations.NullMarked;
