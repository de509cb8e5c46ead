/**
 * The unix socket at which the PAM module asks: frames, the kernel's word about who is asking, and
 * no patience with anybody who is silent.
 */
@NullMarked
package dev.rollcall.agent.door;

import org.jspecify.annotations.NullMarked;
