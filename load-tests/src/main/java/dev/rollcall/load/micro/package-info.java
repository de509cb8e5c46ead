/**
 * Single acts on the way of a call and of a login, by JMH: how long, and how much they allocate.
 */
@NullMarked
package dev.rollcall.load.micro;

import org.jspecify.annotations.NullMarked;
