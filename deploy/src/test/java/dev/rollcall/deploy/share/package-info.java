/** The files of the distribution's folder {@code share}, by the programs that read them. */
@NullMarked
package dev.rollcall.deploy.share;

import org.jspecify.annotations.NullMarked;
