/** Tests of device rules, on this kernel. */
@NullMarked
package dev.rollcall.linux.devices;

import org.jspecify.annotations.NullMarked;
