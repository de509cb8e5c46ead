/** Tests of the measurement of single acts. */
@NullMarked
package dev.rollcall.load.micro;

import org.jspecify.annotations.NullMarked;
